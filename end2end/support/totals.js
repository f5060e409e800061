// Prints a line for each failed test and a line of totals. scripts/test collects both with those of the other runners.
import { stripVTControlCharacters } from 'node:util';

/** The first error of a test, on one line of at most 300 characters. */
const reason = (test) => {
  const message = test.results.find((result) => result.error)?.error.message ?? test.results.at(-1)?.status ?? 'not run';
  return stripVTControlCharacters(message).replace(/\s+/g, ' ').slice(0, 300);
};

/** A Playwright reporter. A test that passed only on a retry counts as failed. */
export default class Totals {
  #suite;

  onBegin(_config, suite) {
    this.#suite = suite;
  }

  onEnd() {
    const count = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      count[outcome] += 1;
      if (outcome === 'unexpected' || outcome === 'flaky') console.log(`Failed: ${test.titlePath().slice(2).join(' › ')}: ${reason(test)}`);
    }
    console.log(`Browser: ${count.expected} passed, ${count.unexpected + count.flaky} failed, ${count.skipped} skipped`);
  }

  printsToStdio() {
    return false;
  }
}
