import { SetMetadata } from '@nestjs/common';

export const BAD_TOKEN_IS_FORBIDDEN = Symbol('bad token is forbidden');

/** On this route a presented token that is bad or expired is 403, as the contract says of Generate; elsewhere 401. */
export const BadTokenIsForbidden = () => SetMetadata(BAD_TOKEN_IS_FORBIDDEN, true);
