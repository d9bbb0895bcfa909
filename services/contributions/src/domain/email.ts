/** An e-mail as an identity: case folded, plus-tag kept (gateway/PROTOCOL.md#ownership). */
export function foldEmail(email: string): string {
  return email.toLowerCase();
}
