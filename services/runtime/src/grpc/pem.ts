/**
 * The PEM texts of one process. A server needs `cert` and `key`; with a `ca` it requires certificates from callers. A
 * client needs the `ca`.
 */
export interface Tls {
  cert?: string | undefined;
  key?: string | undefined;
  /** The authorities of the peers' certificates. While one authority replaces another, the text contains both. */
  ca?: string | undefined;
}
