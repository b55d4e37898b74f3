const { existsSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join, relative, sep } = require('node:path');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const ROOT = join(__dirname, '../../..');
const native = createRequire(__filename);

// Jest says that a worker leaks when it needs more than half a second to end. All that it has loaded takes Node longer
// to put away.
if (process.send) process.once('beforeExit', () => process.exit());

/** By file name, as each test file of a process runs what was compiled for the first. */
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

/** By path of a module that a test asks for: the file that Node loads in its place, or null where Jest loads it. */
const nativeFiles = new Map();

function findNativeFile(path) {
  if (path.includes(`${sep}node_modules${sep}`)) return path;
  const [folder, ...rest] = relative(ROOT, path).split(sep);
  if (folder === 'build') return path;
  if ((folder !== 'apps' && folder !== 'libs') || !path.endsWith('.ts') || path.endsWith('.test.ts')) return null;
  const built = join(ROOT, 'build', folder, ...rest).replace(/\.ts$/, '.js');
  return existsSync(built) ? built : null;
}

function nativeFile(path) {
  if (!nativeFiles.has(path)) nativeFiles.set(path, findNativeFile(path));
  return nativeFiles.get(path);
}

/**
 * Loads packages and the product's build once in a process, where Jest loads them again for each test file: two
 * thousand modules, and they ran cold. Only tests and what supports them go through Jest.
 */
module.exports = class extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    this.isShared = this._environment.isShared === true;
    const { executor } = this;
    if (typeof executor?.compile !== 'function')
      throw new Error('This version of jest-runtime compiles in another way: change test/support/jest/runtime.cjs.');
    const compile = executor.compile.bind(executor);
    executor.compile = (source, filename) => {
      const context = executor.environment.getVmContext();
      try {
        if (context !== null) {
          const script = scriptOf(source, filename, executor.injectedModuleParameters);
          return this.isShared ? script.runInThisContext() : script.runInContext(context);
        }
      } catch {
        // Jest says better what is wrong with it.
      }
      return compile(source, filename);
    };
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (
      this.isShared &&
      moduleName !== undefined &&
      options === undefined &&
      !this._resolution.isCoreModule(moduleName)
    ) {
      const file = nativeFile(this._resolution.resolveEsm(from, moduleName));
      if (file !== null) return native(file);
    }
    return super.requireModule(from, moduleName, options, isRequireActual);
  }
};
