/** An error that the operator can act on. The terminal shows its message without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
