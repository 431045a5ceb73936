// Preloaded into processes of `limits.test.ts`: writes the resources that the
// process used when it exits.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = {
    milliseconds: (userCPUTime + systemCPUTime) / 1000,
    megabytes: maxRSS / 1024,
  };
  writeFileSync(process.env["USAGE_FILE"], JSON.stringify(usage));
});
