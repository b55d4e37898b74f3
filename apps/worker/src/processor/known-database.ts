/** The database as a worker knows it. Its statements claim and freeze nothing in another database, or in one that went back in time. */
export interface KnownDatabase {
  /** `deployment.generation`. */
  readonly generation: number;
  /** The furthest position of its log that this worker has seen. */
  readonly lsn: string;
}
