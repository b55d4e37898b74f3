/**
 * What a host of the URL has to be: `primary` is not a standby, `read-write` is also writable, `any` only has to
 * answer.
 */
const TARGETS = ['any', 'read-write', 'primary'] as const;
export type Target = (typeof TARGETS)[number];

export interface Host {
  /** `host:port`, as it may be shown. */
  readonly name: string;
  /** The URL with this host alone, as node-postgres takes it. */
  readonly url: string;
}

export interface DatabaseAddress {
  /** In the order in which they are tried. */
  readonly hosts: readonly Host[];
  readonly target: Target;
  /** All hosts and the database: the parts of the URL that may be shown. */
  readonly name: string;
  /** Whether the URL has `options` for the session. */
  readonly hasOptions: boolean;
}

const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;
const EXAMPLE = 'postgres://user:password@host:5432/database';
const MOST_HOSTS = 5;

/**
 * Parses a database URL, also one with several hosts in libpq's form:
 * `postgres://user:password@one:5432,two:5433/database`. With several hosts, `target_session_attrs` is `read-write`
 * unless the URL has another value, because every process writes.
 * @throws RangeError whose message continues after "DATABASE_URL". It never repeats the URL, which has a password.
 */
export function parseDatabaseUrl(databaseUrl: string): DatabaseAddress {
  const [, scheme, user = '', authority = '', rest = ''] = PARTS.exec(databaseUrl) ?? [];
  if (scheme === undefined) throw new RangeError(`must be a URL such as ${EXAMPLE}`);
  const authorities = authority.split(',');
  if (authorities.length > MOST_HOSTS) throw new RangeError(`names ${authorities.length} hosts: at most ${MOST_HOSTS}`);
  const texts = authorities.map((one) => `${scheme}${user}${one}${rest}`);
  const urls = texts.map((url, index) => {
    const one = authorities[index]!;
    if (!URL.canParse(url) || (one === '' && authorities.length > 1))
      throw new RangeError(
        `must be a URL such as ${EXAMPLE}, or with several hosts postgres://user:password@one:5432,two:5433/database`,
      );
    return new URL(url);
  });
  const [first] = urls as [URL];
  if (first.pathname.length < 2) throw new RangeError('must name a database, as in postgres://host:5432/database');
  if (first.searchParams.get('host')?.includes(',') === true)
    throw new RangeError(
      'names several hosts in host=: write them before the database, as in postgres://one:5432,two:5433/database',
    );
  const names = urls.map(nameOf);
  return {
    hosts: texts.map((url, index) => ({ name: names[index]!, url: withoutTarget(url) })),
    target: targetOf(first, urls.length),
    name: `${names.join(',')}${first.pathname}`,
    hasOptions: first.searchParams.has('options'),
  };
}

const nameOf = (url: URL): string =>
  `${url.hostname === '' ? (url.searchParams.get('host') ?? 'local socket') : url.hostname}:${url.port || '5432'}`;

function targetOf(url: URL, hosts: number): Target {
  const text = url.searchParams.get('target_session_attrs') ?? (hosts > 1 ? 'read-write' : 'any');
  const target = TARGETS.find((known) => known === text);
  if (target === undefined)
    throw new RangeError(`has target_session_attrs=${text}: must be ${TARGETS.join(', ')}, since every process writes`);
  return target;
}

/** node-postgres does not know the parameter. The rest is unchanged. */
const withoutTarget = (url: string): string =>
  url.replace(/([?&])target_session_attrs=[^&#]*(&|(?=#)|$)/, (_, before: string, after: string) =>
    after === '&' ? before : '',
  );

/** `host:port/database` of a database URL: the parts that may be shown. */
export function databaseName(databaseUrl: string): string {
  try {
    return parseDatabaseUrl(databaseUrl).name;
  } catch {
    return 'the database';
  }
}
