/** What reading a row may need besides its cells. */
export interface Reading {
  readonly now: Date;
  /** Shipping class of virtual products that have none of their own. */
  readonly virtualShippingClass?: string | undefined;
  /** What this row leaves to be said; counted when it is taken. */
  readonly remarks: string[];
}
