/** As much of curl as the examples of the docs use, so that a test of them needs no more than Node: `-s -i -X VERB URL -H HEADER -d BODY`. */
const [given, headers] = [{}, {}];
for (let args = process.argv.slice(2); args.length > 0;) {
  const arg = args.shift();
  if (arg === '-s') continue;
  else if (arg === '-i') given.withHead = true;
  else if (arg === '-X') given.method = args.shift();
  else if (arg === '-d') given.body = args.shift();
  else if (arg === '-H') {
    const [, name, value] = /^(.+?): *(.*)$/.exec(args.shift());
    headers[name] = value;
  } else given.url = arg;
}
const { url, body, withHead, method = body === undefined ? 'GET' : 'POST' } = given;
const response = await fetch(url, { method, headers, body });
const answer = await response.text();
if (!response.ok) console.error(`${method} ${url} was answered ${response.status}: ${answer}`);
if (withHead) {
  const lines = [`HTTP/1.1 ${response.status}`, ...[...response.headers].map(([name, value]) => `${name}: ${value}`)];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
process.stdout.write(answer);
