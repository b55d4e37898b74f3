import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { machine } from '../machine.js';
import { until } from '../until.js';
import { blocksOf } from './blocks.js';

/** What a page shows to be pasted into a shell, without what it says is not run. */
export const shellBlocks = (page: string): string[] => blocksOf(page, 'sh');

/** One shell for all examples of a page, which run one after the other; each gives what it has written. Its curl is ours, which needs no more than Node. */
export class Shell {
  private readonly child: ChildProcess;
  private output = '';
  private ended: number | null = null;

  constructor(environment: Readonly<Record<string, string>>) {
    this.child = spawn('bash', ['-e', '-u', '-o', 'pipefail'], { env: { ...machine(), ...environment } });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.on('data', (data: Buffer) => (this.output += data.toString()));
    this.child.on('close', (code) => (this.ended = code ?? 1));
    this.child.stdin!.write(`curl() { '${process.execPath}' '${join('test', 'support', 'curl.mjs')}' "$@"; }\n`);
  }

  async run(block: string): Promise<string[]> {
    this.output = '';
    this.child.stdin!.write(`${block}\necho; echo END\n`);
    await until(() => this.ended !== null || this.output.endsWith('\nEND\n'));
    if (this.ended !== null) throw new Error(`${block}\n${this.output}`);
    return this.output
      .replace(/END\n$/, '')
      .split('\n')
      .filter((line) => line !== '');
  }

  end(): void {
    this.child.kill();
  }
}
