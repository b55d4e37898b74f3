const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** By file name. They belong to no context, so each test file of a process gets functions and variables of its own from them. */
const compiled = new Map();

function scriptOf(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source) return known.script;
  const head = `(function(${parameters.join()}){`;
  // Errors and debuggers show lines and columns of the file itself.
  const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
  compiled.set(filename, { source, script });
  return script;
}

/**
 * Compiles a module once in a process, where Jest compiles it again for each test file: most of ours load more than two thousand, and
 * that was a good part of the run.
 */
module.exports = class extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    const { executor } = this;
    if (typeof executor?.compile !== 'function')
      throw new Error('This version of jest-runtime compiles in another way: change test/support/runtime.cjs.');
    const compile = executor.compile.bind(executor);
    executor.compile = (source, filename) => {
      const context = executor.environment.getVmContext();
      try {
        if (context !== null)
          return scriptOf(source, filename, executor.injectedModuleParameters).runInContext(context);
      } catch {
        // Jest says better what is wrong with it.
      }
      return compile(source, filename);
    };
  }
};
