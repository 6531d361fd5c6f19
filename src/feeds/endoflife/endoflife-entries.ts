/** A cycle of releases of a product. */
export interface SupportCycle {
  /** `3.2`, `22.04`, `2019` */
  name: string;
  /** YYYY-MM-DD */
  released: string | null;
  /** Day of the last security fix, as far as it is known. */
  ends_at: string | null;
  /** Where no day is given: whether support had ended when the data was made. Null: not said either. */
  has_ended: boolean | null;
  /** End of the support that is paid for; null if there is none or it is not known. */
  extended_ends_at: string | null;
  latest: string | null;
}

/** A product of endoflife.date. */
export interface SupportedProduct {
  /** Id at the publisher: `django`. */
  product: string;
  label: string;
  aliases: string[];
  url: string | null;
  /** Package URLs without version. */
  purls: string[];
  /** `vendor:product` in the form of `normalizeCpeToken`. */
  cpes: string[];
  /** Newest first. */
  cycles: SupportCycle[];
}
