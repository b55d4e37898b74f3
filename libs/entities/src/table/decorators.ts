import 'reflect-metadata';

/**
 * TypeORM's decorators alone: its main file loads all of TypeORM, which only what opens a data source needs
 * (`createDataSource`).
 */
export { Check } from 'typeorm/decorator/Check.js';
export { Column } from 'typeorm/decorator/columns/Column.js';
export { PrimaryColumn } from 'typeorm/decorator/columns/PrimaryColumn.js';
export { PrimaryGeneratedColumn } from 'typeorm/decorator/columns/PrimaryGeneratedColumn.js';
export { Entity } from 'typeorm/decorator/entity/Entity.js';
export { ForeignKey } from 'typeorm/decorator/ForeignKey.js';
export { Index } from 'typeorm/decorator/Index.js';
