import type { Transaction } from "../../store/store.js";
import { itemKey, purchaseKey, tables, type StoredPurchase } from "../data.js";
import {
  amount,
  currency,
  ValueProblem,
  flag,
  id,
  text,
  time,
  type Column,
} from "./columns.js";
import {
  formatProblem,
  type MemberProblem,
  type Row,
  type Rows,
} from "./rows.js";

/** Columns of an import file for purchases. */
export const purchaseColumns: readonly Column[] = [
  { name: "purchase_code", isRequired: true, ...text(200) },
  { name: "license_type", ...text(50) },
  { name: "price", isRequired: true, ...amount },
  { name: "currency", isRequired: true, ...currency },
  { name: "item_id", isRequired: true, ...id },
  { name: "supported_until", ...time },
  { name: "downloaded", ...flag },
  { name: "date", isRequired: true, ...time },
];

/**
 * Converts rows to purchases. The purchased items must exist, and purchase
 * codes must be unique in the file.
 */
export async function preparePurchases(
  { rows, problems }: Rows,
  owner: string,
  tx: Transaction,
): Promise<{
  purchases: readonly StoredPurchase[];
  problems: readonly string[];
}> {
  const allProblems = [...problems];
  const purchases: StoredPurchase[] = [];
  const codes = new Map<string, string>();
  const keyOf = (row: Row): string =>
    itemKey(owner, row.values["item_id"] as number)!;
  const items = await tx.existing(tables.items, [...new Set(rows.map(keyOf))]);
  for (const row of rows) {
    const rowProblems = [
      ...(items.has(keyOf(row)) ? [] : [itemProblem(row, owner)]),
      ...duplicateCodeProblems(row, codes),
      ...supportProblems(row.values).map(({ column, value, problem }) =>
        formatProblem(row.position, column, value, problem),
      ),
    ];
    allProblems.push(...rowProblems);
    if (rowProblems.length === 0) purchases.push(purchaseOf(row.values));
  }
  return { purchases, problems: allProblems };
}

function itemProblem({ position, values }: Row, owner: string): string {
  const item = values["item_id"] as number;
  const valueProblem = new ValueProblem(
    `is not an item of '${owner}'`,
    "import the item first",
  );
  return formatProblem(position, "item_id", item, valueProblem);
}

function duplicateCodeProblems(
  { position, values }: Row,
  codes: Map<string, string>,
): string[] {
  const code = values["purchase_code"] as string;
  const other = codes.get(code);
  codes.set(code, other ?? position);
  if (other === undefined) return [];
  const valueProblem = new ValueProblem(
    `must be unique, but is also the purchase code in ${other}`,
    "give each purchase a different code",
  );
  // The message must not contain the value, because a purchase code is secret.
  return [formatProblem(position, "purchase_code", undefined, valueProblem)];
}

/** Returns the problems of the end of support of a purchase. */
export function supportProblems(values: Row["values"]): MemberProblem[] {
  const until = values["supported_until"] as string | undefined;
  if (until === undefined || until >= (values["date"] as string)) return [];
  const problem = new ValueProblem(
    "is before the purchase date",
    "use a later time, or omit the value if the purchase includes no support",
  );
  return [{ column: "supported_until", value: until, problem }];
}

/** Returns the purchase with the values of a row. */
export function purchaseOf(values: Row["values"]): StoredPurchase {
  const until = values["supported_until"] as string | undefined;
  return {
    code: values["purchase_code"] as string,
    licenseType: (values["license_type"] as string) ?? "Regular",
    price: values["price"] as number,
    currency: values["currency"] as string,
    itemId: values["item_id"] as number,
    ...(until === undefined ? {} : { supportedUntil: until }),
    isDownloaded: values["downloaded"] === true,
    date: values["date"] as string,
  };
}

export function putPurchases(
  tx: Transaction,
  owner: string,
  purchases: readonly StoredPurchase[],
): void {
  for (const purchase of purchases)
    tx.put(tables.purchases, purchaseKey(owner, purchase.code), purchase);
}
