/** What curl would write, and how it would end. */
export interface Curled {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CurlOptions {
  url: string;
  body?: string;
  method?: string;
  withHead: boolean;
  readonly headers: Record<string, string>;
}

/** As much of curl as the examples of the docs use: `-s -i -X VERB URL -H HEADER -d BODY`. */
function parse(args: string[]): CurlOptions {
  const options: CurlOptions = { url: '', withHead: false, headers: {} };
  while (args.length > 0) {
    const arg = args.shift()!;
    if (arg === '-s') continue;
    else if (arg === '-i') options.withHead = true;
    else if (arg === '-X') options.method = args.shift()!;
    else if (arg === '-d') options.body = args.shift()!;
    else if (arg === '-H') {
      const [, name, value] = /^(.+?): *(.*)$/.exec(args.shift()!)!;
      options.headers[name!] = value!;
    } else options.url = arg;
  }
  return options;
}

/**
 * Sends what curl would send, so that a test of the examples needs no more than Node. A refusal is a line of standard
 * error.
 */
export async function curl(args: readonly string[]): Promise<Curled> {
  const { url, body, withHead, headers, method = body === undefined ? 'GET' : 'POST' } = parse([...args]);
  try {
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    const answer = await response.text();
    const lines = [`HTTP/1.1 ${response.status}`, ...[...response.headers].map(([name, value]) => `${name}: ${value}`)];
    return {
      exitCode: 0,
      stdout: withHead ? `${lines.join('\n')}\n\n${answer}` : answer,
      stderr: response.ok ? '' : `${method} ${url} was answered ${response.status}: ${answer}`,
    };
  } catch (error) {
    return { exitCode: 7, stdout: '', stderr: `${method} ${url}: ${String(error)}` };
  }
}
