import { LongText, Text } from '../table/columns.js';
import { Entity, Index } from '../table/decorators.js';
import { Row } from '../table/row.js';

/** An account: the merchant who logs in. Its email is kept in lower case. */
@Entity('users')
@Index('uq_users_email', ['email'], { unique: true })
export class User extends Row {
  @Text(255, {}) email!: string;
  @LongText({}) passwordHash!: string;
}
