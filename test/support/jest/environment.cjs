const { TestEnvironment } = require('jest-environment-node');

/**
 * Test files share the globals of their process, and so what runtime.cjs loads once for all of them. A file that
 * changes globals for good, or counts what modules keep, has `@jest-environment node` in its first comment: it gets
 * globals and modules of its own.
 */
module.exports = class extends TestEnvironment {
  isShared = true;
  #kept = { console: globalThis.console, exit: process.exit };

  constructor(config, context) {
    super(config, context);
    const { projectConfig } = config;
    this.global = globalThis;
    // As in every environment of Jest: ten lines end inside a package.
    Error.stackTraceLimit = 100;
    // Those of the context that is not used change its clock.
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new this.fakeTimersModern.constructor({ config: projectConfig, global: globalThis });
  }

  /** Jest replaces them for each file. */
  async teardown() {
    Object.assign(globalThis, { console: this.#kept.console });
    process.exit = this.#kept.exit;
    forgetRunner();
    await super.teardown();
  }
};

/** By their descriptions: the second of them is another symbol in each file. */
const OF_RUNNER = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'];

/**
 * Jest's runner keeps with the globals who listens to the events of a file, and the file's tests with all that they
 * have made. Left there, the listeners of a process's first file would hear, and report, each test of all later ones.
 */
function forgetRunner() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (OF_RUNNER.includes(symbol.description)) delete globalThis[symbol];
}
