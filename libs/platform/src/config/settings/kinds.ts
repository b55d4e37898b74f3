import { isIP } from 'node:net';
import { parseDatabaseUrl } from '../../database/index.js';
import { checkCron } from './cron-expression.js';
import { durationMs, durationText } from './duration.js';

/**
 * The allowed texts of a setting, and their value. `parse` throws a RangeError whose message continues after the
 * setting's name.
 */
export interface Kind<T> {
  /** Unit and form, for the documentation. */
  readonly form: string;
  parse(text: string): T;
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export function integer(form: string, min: number, max: number): Kind<number> {
  return {
    form: `${form}, ${min} to ${max}`,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) throw new RangeError(`must be a whole number from ${min} to ${max}`);
      return value;
    },
  };
}

/** In milliseconds. */
export function duration(minMs: number, maxMs: number): Kind<number> {
  return {
    form: `ISO 8601 duration, ${durationText(minMs)} to ${durationText(maxMs)}`,
    parse(text) {
      const ms = durationMs(text);
      if (ms < minMs || ms > maxMs) {
        throw new RangeError(`must be a duration from ${durationText(minMs)} to ${durationText(maxMs)}`);
      }
      return ms;
    },
  };
}

/** Each in milliseconds. */
export function durations(minMs: number, maxMs: number): Kind<readonly number[]> {
  const one = duration(minMs, maxMs);
  return {
    form: `comma-separated ISO 8601 durations, each ${durationText(minMs)} to ${durationText(maxMs)}`,
    parse: (text) => listOf(text).map((entry) => one.parse(entry)),
  };
}

export function oneOf<const T extends string>(values: readonly T[]): Kind<T> {
  return {
    form: `one of ${values.join(', ')}`,
    parse(text) {
      const value = values.find((known) => known === text.toLowerCase());
      if (value === undefined) throw new RangeError(`must be one of ${values.join(', ')}`);
      return value;
    },
  };
}

export const flag: Kind<boolean> = {
  form: 'true or false',
  parse(text) {
    if (!/^(true|false)$/i.test(text)) throw new RangeError('must be true or false');
    return text.toLowerCase() === 'true';
  },
};

export function text(form: string, maxLength = 255): Kind<string> {
  return {
    form,
    parse(value) {
      if (value.length > maxLength) throw new RangeError(`must be at most ${maxLength} characters`);
      return value;
    },
  };
}

export const cron: Kind<string> = { form: 'cron expression, optionally with seconds in front', parse: checkCron };

export const postgresUrl: Kind<string> = {
  form: 'postgres://user:password@host:5432/database, also with several hosts: host:5432,other:5432',
  parse(value) {
    parseDatabaseUrl(value);
    return value;
  },
};

/** Of one host: what is known of a standby must hold for the next statement. */
export const replicaUrl: Kind<string> = {
  form: 'postgres://user:password@host:5432/database, of one host',
  parse(value) {
    const { hosts } = parseDatabaseUrl(value);
    if (hosts.length > 1) throw new RangeError(`names ${hosts.length} hosts: must name one, a standby`);
    if (/[?&]target_session_attrs=/.test(value))
      throw new RangeError('has target_session_attrs: leave it out, a standby is what is meant');
    return value;
  },
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Plain http only to the loopback: credentials and cards are never sent unencrypted. */
export const gatewayUrl: Kind<string> = {
  form: 'URL of scheme, host and port; plain http only to the loopback',
  parse(value) {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) throw new RangeError('must be an https:// URL');
    if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
      throw new RangeError('must be an https:// URL; plain http is allowed to the loopback only');
    }
    if (url.pathname !== '/' || url.search !== '' || url.username !== '') {
      throw new RangeError('must be scheme, host and port only');
    }
    return url.origin;
  },
};

export const httpUrl: Kind<string> = {
  form: 'http(s) URL',
  parse(value) {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol))
      throw new RangeError('must be an http:// or https:// URL');
    return url.href.replace(/\/$/, '');
  },
};

/** A user name or password in it would be shown where the address is. */
export const collectorUrl: Kind<string> = {
  form: 'http(s) URL such as http://127.0.0.1:4318',
  parse(value) {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol))
      throw new RangeError('must be an http:// or https:// URL such as http://127.0.0.1:4318');
    if (url.username !== '' || url.password !== '')
      throw new RangeError('must have no user name and no password: give them in OTEL_EXPORTER_OTLP_HEADERS');
    if (url.search !== '' || url.hash !== '') throw new RangeError('must have no query: its path gets /v1/traces');
    return url.href.replace(/\/$/, '');
  },
};

export const origins: Kind<readonly string[]> = {
  form: 'comma-separated origins such as https://shop.example',
  parse: (value) =>
    listOf(value).map((entry) => {
      const url = URL.canParse(entry) ? new URL(entry) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol) || entry.replace(/\/$/, '') !== url.origin) {
        throw new RangeError('must be a list of origins such as https://shop.example, without a path');
      }
      return url.origin;
    }),
};

export const hosts: Kind<readonly string[]> = {
  form: 'comma-separated host names and IP addresses, without a port',
  parse: (value) =>
    listOf(value.toLowerCase()).map((entry) => {
      const url = URL.canParse(`http://${entry}`) ? new URL(`http://${entry}`) : undefined;
      if (url?.hostname !== entry || entry.includes('*'))
        throw new RangeError(
          'must be a list of host names and IP addresses such as orders.example, 10.0.0.5, [fd00::5]',
        );
      return entry;
    }),
};

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

export const addresses: Kind<readonly string[]> = {
  form: 'comma-separated IP addresses, CIDR ranges, or loopback, linklocal, uniquelocal',
  parse: (value) =>
    listOf(value).map((entry) => {
      const [address = '', prefix, ...more] = entry.split('/');
      const version = isIP(address);
      const prefixHolds =
        prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32));
      if (!NAMED_RANGES.includes(entry) && (version === 0 || !prefixHolds || more.length > 0)) {
        throw new RangeError('must be a list of IP addresses, CIDR ranges, or loopback, linklocal, uniquelocal');
      }
      return entry;
    }),
};

export const networks: Kind<readonly string[]> = {
  form: 'comma-separated IP addresses and CIDR ranges',
  parse: (value) =>
    listOf(value).map((entry) => {
      const [address = '', prefix, ...more] = entry.split('/');
      const most = isIP(address) === 6 ? 128 : 32;
      const prefixHolds = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most);
      if (isIP(address) === 0 || address.includes('%') || !prefixHolds || more.length > 0)
        throw new RangeError('must be a list of IP addresses and CIDR ranges such as 10.0.0.0/8');
      return entry;
    }),
};

/** One or several of these words, each once. */
export function someOf<const T extends string>(values: readonly T[]): Kind<readonly T[]> {
  return {
    form: `one or several of ${values.join(' ')}, comma-separated`,
    parse(text) {
      const words = [...new Set(listOf(text.toLowerCase()))];
      const known = values.filter((value) => words.includes(value));
      if (known.length === 0 || known.length < words.length)
        throw new RangeError(`must be one or several of ${values.join(', ')}`);
      return known;
    },
  };
}

/** The message never repeats the value: it is a secret. */
export const encryptionKeys: Kind<readonly string[]> = {
  form: '64 hexadecimal digits (32 random bytes); several, comma-separated, while rotating: the first encrypts, all decrypt',
  parse(value) {
    const keys = listOf(value).map((key) => key.toLowerCase());
    if (keys.length === 0 || !keys.every((key) => /^[0-9a-f]{64}$/.test(key))) {
      throw new RangeError('must be 64 hexadecimal digits (several keys are separated by commas)');
    }
    if (new Set(keys).size !== keys.length) throw new RangeError('names the same key twice');
    return keys;
  },
};
