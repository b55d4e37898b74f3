import { SetMetadata } from '@nestjs/common';

export const BAD_TOKEN_IS_FORBIDDEN = Symbol('bad token is forbidden');

/** On this route a bad or expired token is answered 403, as the contract requires for Generate; elsewhere 401. */
export const BadTokenIsForbidden = () => SetMetadata(BAD_TOKEN_IS_FORBIDDEN, true);
