/**
 * What ends an operation of the driver, to be spread into its options: its types know a signal for reads alone, but it acts
 * on every operation (hardening.md M2).
 */
export function ending({ signal }: { signal: AbortSignal }): object {
  return { signal };
}
