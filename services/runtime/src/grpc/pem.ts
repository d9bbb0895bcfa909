/** PEM texts. A server needs its pair, and with a `ca` it asks its callers for theirs. A client needs the `ca`. */
export interface Tls {
  cert?: string | undefined;
  key?: string | undefined;
  /** The authority that the other side's certificate must come from; several in a row while they are exchanged. */
  ca?: string | undefined;
}
