// Loaded before each measured program (node --require): reports the process's
// resource usage at its end, at the same small cost for all. It is CommonJS, because
// --import makes Node load its ES module loader also for programs that do not use it.
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = {
    cpu: (userCPUTime + systemCPUTime) / 1e6,
    peak: maxRSS / 1024,
  };
  process.stderr.write(`USAGE${JSON.stringify(usage)}`);
});
