/** Converts an e-mail to lower case. The plus-tag stays (gateway/PROTOCOL.md#ownership). */
export function foldEmail(email: string): string {
  return email.toLowerCase();
}
