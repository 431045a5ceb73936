import { levelStore } from "../../src/services/store/level.js";

// Writes pairs that belong together, until it is killed.
const store = await levelStore(process.argv[2]!);
for (let round = 1; ; round++) {
  await store.transaction(async (tx) => {
    for (let part = 0; part < 50; part++)
      tx.put("parts", String(part), { round, filler: "x".repeat(500) });
  });
  process.stdout.write(`${round}\n`);
}
