import type { Transaction } from "../../store/store.js";
import { itemKey, purchaseKey, tables, type StoredPurchase } from "../data.js";
import {
  amount,
  currency,
  Fault,
  flag,
  id,
  text,
  time,
  type Column,
} from "./columns.js";
import { problem, type Row, type Rows } from "./rows.js";

/** Columns of a file of purchases. */
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

/** Purchases whose items are there and whose codes are told once. */
export async function storablePurchases(
  { rows, problems }: Rows,
  owner: string,
  tx: Transaction,
): Promise<{
  purchases: readonly StoredPurchase[];
  problems: readonly string[];
}> {
  const found = [...problems];
  const purchases: StoredPurchase[] = [];
  const codes = new Map<string, string>();
  for (const row of rows) {
    const troubles = [
      ...(await itemTroubles(row, owner, tx)),
      ...sameCode(row, codes),
      ...supportTroubles(row),
    ];
    found.push(...troubles);
    if (troubles.length === 0) purchases.push(purchaseOf(row));
  }
  return { purchases, problems: found };
}

async function itemTroubles(
  { place, values }: Row,
  owner: string,
  tx: Transaction,
): Promise<string[]> {
  const item = values["item_id"] as number;
  if ((await tx.get(tables.items, itemKey(owner, item)!)) !== undefined)
    return [];
  const fault = new Fault(`is no item of '${owner}'`, "import the item first");
  return [problem(place, "item_id", item, fault)];
}

function sameCode(
  { place, values }: Row,
  codes: Map<string, string>,
): string[] {
  const code = values["purchase_code"] as string;
  const other = codes.get(code);
  codes.set(code, other ?? place);
  if (other === undefined) return [];
  const fault = new Fault(
    `the code in ${other} is the same`,
    "give each purchase one of its own",
  );
  // The code itself is a secret of the buyer.
  return [problem(place, "purchase_code", undefined, fault)];
}

function supportTroubles({ place, values }: Row): string[] {
  const until = values["supported_until"] as string | undefined;
  if (until === undefined || until >= (values["date"] as string)) return [];
  const fault = new Fault(
    "is before the purchase",
    "correct it, or leave it out where there is no support",
  );
  return [problem(place, "supported_until", until, fault)];
}

function purchaseOf({ values }: Row): StoredPurchase {
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

/** Puts purchases in. */
export function putPurchases(
  tx: Transaction,
  owner: string,
  purchases: readonly StoredPurchase[],
): void {
  for (const purchase of purchases)
    tx.put(tables.purchases, purchaseKey(owner, purchase.code), purchase);
}
