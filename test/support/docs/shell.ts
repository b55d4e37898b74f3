import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { machine } from '../machine.js';
import { until } from '../until.js';
import { blocksOf } from './blocks.js';
import { curl } from './curl.js';

/** What a page shows to be pasted into a shell, without what it says is not run. */
export const shellBlocks = (page: string): string[] => blocksOf(page, 'sh');

/**
 * Hands its words, each ended by a zero, to the test's own process: to begin a process for each takes longer than the
 * call.
 */
const curlAt = (port: number) => `curl() {
  local it code error
  exec {it}<>/dev/tcp/127.0.0.1/${port}
  printf '%s\\0' "$#" "$@" >&$it
  IFS=' ' read -r code error <&$it
  if [ -n "$error" ]; then printf '%s\\n' "$error" >&2; fi
  cat <&$it
  exec {it}>&-
  return "$code"
}
`;

/**
 * One shell for all examples of a page, which run one after the other; each gives what it has written. Its curl is
 * ours.
 */
export class Shell {
  private readonly child: ChildProcess;
  private readonly server: Server;
  private readonly ready: Promise<void>;
  private output = '';
  private ended: number | null = null;

  constructor(environment: Readonly<Record<string, string>>) {
    this.child = spawn('bash', ['-e', '-u', '-o', 'pipefail'], { env: { ...machine(), ...environment } });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.on('data', (data: Buffer) => (this.output += data.toString()));
    this.child.on('close', (code) => (this.ended = code ?? 1));
    this.server = createServer(answer).listen(0, '127.0.0.1');
    this.ready = once(this.server, 'listening').then(
      () => void this.child.stdin!.write(curlAt((this.server.address() as AddressInfo).port)),
    );
  }

  async run(block: string): Promise<string[]> {
    await this.ready;
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
    this.server.close();
  }
}

function answer(socket: Socket): void {
  let text = '';
  socket.setEncoding('utf8').on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    text += chunk;
    const [count, ...words] = text.split('\0');
    if (words.length <= Number(count)) return;
    void curl(words.slice(0, Number(count))).then(({ exitCode, stdout, stderr }) =>
      socket.end(`${exitCode} ${stderr.replaceAll('\n', ' ')}\n${stdout}`),
    );
  });
}
