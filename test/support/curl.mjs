/** As much of curl as the examples of the docs use, so that a test of them needs no more than Node: `-s -X VERB URL -H HEADER -d BODY`. */
const [given, headers] = [{ method: 'GET' }, {}];
for (let args = process.argv.slice(2); args.length > 0;) {
  const arg = args.shift();
  if (arg === '-s') continue;
  else if (arg === '-X') given.method = args.shift();
  else if (arg === '-d') given.body = args.shift();
  else if (arg === '-H') {
    const [, name, value] = /^(.+?): *(.*)$/.exec(args.shift());
    headers[name] = value;
  } else given.url = arg;
}
const response = await fetch(given.url, { method: given.method, headers, body: given.body });
const answer = await response.text();
if (!response.ok) console.error(`${given.method} ${given.url} was answered ${response.status}: ${answer}`);
process.stdout.write(answer);
