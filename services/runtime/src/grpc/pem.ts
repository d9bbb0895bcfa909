/**
 * PEM texts. A server needs its pair, and with a `ca` it demands certificates of its callers. A client needs the `ca`.
 */
export interface Tls {
  cert?: string | undefined;
  key?: string | undefined;
  /** The authority of the peers' certificates; two in a row while one replaces the other. */
  ca?: string | undefined;
}
