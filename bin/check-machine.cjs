'use strict';
// The first that runs of each command: an old Node must be able to read it, so its syntax is old as well.
// `node bin/check-machine.cjs 4` also says when there are less than 4 GB of memory.
var os = require('os');

var GB = Math.pow(2, 30);
var LEAST = require('../package.json').engines.node.replace('>=', '');

/** @returns a sentence; null when this version of Node can run the programs. */
function oldNode(version) {
  var have = version.replace('v', '').split('.').map(Number);
  var need = LEAST.split('.').map(Number);
  if (have[0] > need[0] || (have[0] === need[0] && have[1] >= need[1])) return null;
  return 'This is Node.js ' + version + ', and ' + LEAST + ' or newer is needed: https://nodejs.org has it.';
}

/** @returns a sentence; null when there is enough memory. A machine of 4 GB shows somewhat less. */
function littleMemory(bytes, gb) {
  if (bytes >= 0.9 * gb * GB) return null;
  var have = (bytes / GB).toFixed(1);
  return (
    'This takes up to ' +
    gb +
    ' GB of memory, and there are ' +
    have +
    ' GB: it may be slow, or be killed. Fewer tests at once take less (npm test -- -w 1).'
  );
}

/** What this process may use: a container may have less than its machine. */
function memory() {
  var limit = process.constrainedMemory ? process.constrainedMemory() : 0;
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}

module.exports = { oldNode: oldNode, littleMemory: littleMemory };

var old = oldNode(process.version);
if (old !== null) {
  process.stderr.write(old + '\n');
  process.exit(1);
}
var little = require.main === module && process.argv[2] ? littleMemory(memory(), Number(process.argv[2])) : null;
if (little !== null) process.stderr.write(little + '\n');
