import { Column, PrimaryColumn, PrimaryGeneratedColumn } from './decorators.js';

interface Options {
  /** The column, when its name is not the property in snake case. */
  name?: string;
  nullable?: boolean;
  default?: string | number | boolean | (() => string);
}

export const Id = () => PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' });

/** An id, a count or an amount in minor units. */
export const Int64 = (options: Options = {}) => Column({ type: 'bigint', ...options });

/** An id or a number that is part of the primary key. */
export const KeyPart = () => PrimaryColumn({ type: 'bigint' });

export const Text = (length: number, options: Options = { nullable: true }) =>
  Column({ type: 'varchar', length, ...options });

/** Text without a bound of its own: encrypted credentials, JSON that was sent. */
export const LongText = (options: Options = { nullable: true }) => Column({ type: 'text', ...options });

export const Uuid = (options: Options = {}) => Column({ type: 'uuid', ...options });

/** An exact price or amount, as text: up to 11 digits before the point and 4 behind it (decisions.md §1). */
export const Price = (options: Options = { nullable: true }) =>
  Column({ type: 'numeric', precision: 15, scale: 4, ...options });

/** An amount of an order, as text: a total of 2^53 − 1 minor units fits in every currency. */
export const Amount = (options: Options = { nullable: true }) =>
  Column({ type: 'numeric', precision: 20, scale: 4, ...options });

/** A percentage, as text: up to 6 decimal places. */
export const Percentage = (options: Options = { nullable: true }) =>
  Column({ type: 'numeric', precision: 17, scale: 6, ...options });

export const Flag = (options: Options = { default: false }) => Column({ type: 'boolean', ...options });

/**
 * Milliseconds, as in JavaScript: a finer value would not be equal after a round trip (docs/architecture.md,
 * Conventions).
 */
export const Utc = (options: Options = { nullable: true }) =>
  Column({ type: 'timestamp with time zone', precision: 3, ...options });

export const StampUtc = () => Utc({ default: () => 'now()' });

export const Json = (options: Options = { nullable: true }) => Column({ type: 'jsonb', ...options });

/** The record's JSON as the contract has it, which a trigger of the table makes with every write. Only SQL reads it. */
export const ReadyMadeJson = () => Column({ type: 'json', nullable: true, select: false });

/** JSON that is written once and shown whole: stored as text. */
export const Snapshot = (options: Options = { nullable: true }) => Column({ type: 'json', ...options });
