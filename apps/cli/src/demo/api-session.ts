interface Identified {
  readonly Id: number;
}

/** An answer that is no success. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    request: string,
    answer: string,
  ) {
    super(`${request} was answered ${status}: ${answer}`);
  }
}

/** A session with the API: a merchant's, like that of a shop's backend, or a customer's. */
export class ApiSession {
  private constructor(
    private readonly baseUrl: string,
    private readonly tokenAuth: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** @param signal ends all its requests. */
  static async login(baseUrl: string, email: string, password: string, signal?: AbortSignal): Promise<ApiSession> {
    const credentials = { Email: email, Password: password, AccessScope: 'Merchant' };
    const anonymous = new ApiSession(baseUrl, '', signal);
    const token = await anonymous.ask<{ TokenAuth: string }>('POST', '/api/AccessTokens/Login', credentials);
    return new ApiSession(baseUrl, token!.TokenAuth, signal);
  }

  /** A session with a new API key that is limited to one site. */
  async ofSite(siteId: number, name: string): Promise<ApiSession> {
    const key = await this.ask<{ Value: string }>('POST', '/api/ApiKeys', {
      Name: name,
      SiteIds: [siteId],
      Access: 'Full',
    });
    return new ApiSession(this.baseUrl, key!.Value, this.signal);
  }

  /** Of one of the merchant's customers. */
  async ofCustomer(customerId: number): Promise<ApiSession> {
    const wanted = { AccessScope: 'Customer', CustomerId: customerId };
    const token = await this.ask<{ TokenAuth: string }>('POST', '/api/AccessTokens/Generate', wanted);
    return new ApiSession(this.baseUrl, token!.TokenAuth, this.signal);
  }

  list<T>(path: string): Promise<T[]> {
    return this.get(path);
  }

  async get<T>(path: string): Promise<T> {
    return (await this.ask<T>('GET', path))!;
  }

  /** @param idempotencyKey lets a repetition after an interrupted start return the record of the first call. */
  create<T extends Identified>(path: string, body: object, idempotencyKey: string): Promise<T> {
    return this.post(path, body, idempotencyKey);
  }

  /** The same for what has no Id. */
  async post<T>(path: string, body: object, idempotencyKey: string): Promise<T> {
    return (await this.ask<T>('POST', path, body, { 'Idempotency-Key': idempotencyKey }))!;
  }

  async put<T>(path: string, body: object): Promise<T> {
    return (await this.ask<T>('PUT', path, body))!;
  }

  async delete(path: string): Promise<void> {
    await this.ask('DELETE', path);
  }

  /** @returns undefined where the answer has no body. */
  private async ask<T>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<T | undefined> {
    const limit = AbortSignal.timeout(30_000);
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...headers,
        ...(this.tokenAuth === '' ? {} : { authorization: `Basic ${this.tokenAuth}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: this.signal === undefined ? limit : AbortSignal.any([limit, this.signal]),
    });
    const text = await response.text();
    if (!response.ok) throw new ApiRefusal(response.status, `${method} ${path}`, text);
    return text === '' ? undefined : (JSON.parse(text) as T);
  }
}
