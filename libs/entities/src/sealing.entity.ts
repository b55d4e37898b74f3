import { Text } from './columns.js';
import { Check, Entity, PrimaryColumn } from './decorators.js';

/** How the encrypted values of this database are bound to their places (one row): libs/vault, `Binding`. */
@Entity('sealing')
@Check('ck_sealing_singleton', 'singleton')
@Check('ck_sealing_binding', `binding IN ('Unbound', 'Changing', 'Bound')`)
export class Sealing {
  @PrimaryColumn({ type: 'boolean', default: true }) singleton!: boolean;
  @Text(16, {}) binding!: 'Unbound' | 'Changing' | 'Bound';
}
