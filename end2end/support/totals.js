// Ends the run with one plain line of totals, which scripts/test adds to the other runners'.

/** A Playwright reporter. A test that passed only on a second try counts as failed. */
export default class Totals {
  #suite;

  onBegin(_config, suite) {
    this.#suite = suite;
  }

  onEnd() {
    const count = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
    for (const test of this.#suite?.allTests() ?? []) count[test.outcome()] += 1;
    console.log(`Browser: ${count.expected} passed, ${count.unexpected + count.flaky} failed, ${count.skipped} skipped`);
  }

  printsToStdio() {
    return false;
  }
}
