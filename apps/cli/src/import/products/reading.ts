/** What reading a row needs besides its cells. */
export interface Reading {
  readonly now: Date;
  /** Shipping class for virtual products without one. */
  readonly virtualShippingClass?: string | undefined;
  /** Remarks about this row; they are counted when the row is imported. */
  readonly remarks: string[];
}
