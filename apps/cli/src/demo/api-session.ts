interface Identified {
  readonly Id: number;
}

/** A merchant's session with the API, like that of a shop's backend. */
export class ApiSession {
  private constructor(
    private readonly baseUrl: string,
    private readonly tokenAuth: string,
  ) {}

  static async login(baseUrl: string, email: string, password: string): Promise<ApiSession> {
    const credentials = { Email: email, Password: password, AccessScope: 'Merchant' };
    const token = await ask<{ TokenAuth: string }>(baseUrl, 'POST', '/api/AccessTokens/Login', {}, credentials);
    return new ApiSession(baseUrl, token.TokenAuth);
  }

  list<T extends Identified>(path: string): Promise<T[]> {
    return ask(this.baseUrl, 'GET', path, this.headers());
  }

  /** @param idempotencyKey lets a repetition after an interrupted start return the record of the first call. */
  create<T extends Identified>(path: string, body: object, idempotencyKey: string): Promise<T> {
    return this.post(path, body, idempotencyKey);
  }

  /** The same for what has no Id. */
  post<T>(path: string, body: object, idempotencyKey: string): Promise<T> {
    return ask(this.baseUrl, 'POST', path, { ...this.headers(), 'Idempotency-Key': idempotencyKey }, body);
  }

  put<T>(path: string, body: object): Promise<T> {
    return ask(this.baseUrl, 'PUT', path, this.headers(), body);
  }

  private headers() {
    return { authorization: `Basic ${this.tokenAuth}` };
  }
}

async function ask<T>(
  baseUrl: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<T> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
