/**
 * What the product knows of a kind of channel on both sides, in the browser and on the server: its name for people, its error codes, the names that
 * files use for it. What only the server needs is in `ChannelKind`.
 */
export type KindRules = {
  /** As in `ChannelKind`: stands in rows, in addresses and in keys of the catalogues. */
  name: string;
  /** What people call it, the same in every language. */
  title: string;
  errors: KindErrors;
  /**
   * At most so many messages of this kind in a minute and in a day (UTC), once a workspace switches it on; a workspace can set others. They hold beside
   * the limits of the workspace for all messages. Left out: the kind has none.
   */
  limits?: { perMinute: number; perDay: number };
  /**
   * A country's rule for promotional messages of this kind: so many reach one person within so many days. A workspace can set another number.
   * Left out: no country has one.
   */
  promotions?: { prefix: string; days: number; most: number };
  /** What files of other programs and of older exports call things of this kind. */
  fileNames: KindFileNames;
};

/**
 * The error codes of the kind; their texts are in `kind-texts.ts`. Outside its folder a code is stored and shown with the name of the kind in front (`rcs.404`), so that a code belongs
 * to one kind wherever it travels. One kind was there before; its codes stand without a name (`hasBareCodes`).
 */
export type KindErrors = {
  hasBareCodes: boolean;
  /** Codes that say something lasting about the contact: the same message fails again, whatever is changed. */
  lasting: readonly string[];
  /** Codes that say that a time limit ended before the message arrived: they say nothing against the campaign. */
  expired?: readonly string[];
  /** The code with a text that stands for this one, where a range of codes means the same. */
  listed?: (code: string) => string;
  /** The code for a bad value in any call: its text speaks of messages, and says nothing about other calls. */
  badValue?: string;
};

/** Words in small letters and figures, without accents or spaces. */
export type KindFileNames = {
  /** Headings of a column with the number under which the kind reaches a contact. */
  phoneHeadings: readonly string[];
  /** Headings of a column with the name that a contact has there. */
  nameHeadings: readonly string[];
  /** Headings of a column that says who agreed to marketing over it. */
  optInHeadings: readonly string[];
  optOutHeadings: readonly string[];
  /** Settings of a channel in a file of data: a file never connects one. */
  settings: readonly string[];
};
