/**
 * Encodes the plain text so that a link stays whole. Text that ASCII can say is sent as it is, other text in base64.
 * Quoted-printable would break long links and write `=3D` into them, and some readers decode nothing.
 */
export function asTextPart(text: string): { raw: string } {
  const plain = text.replace(/[“”„‘’…–—]/g, (each) => asciiFor[each] ?? each);
  const sevenBit = /^[\t\n\x20-\x7e]*$/.test(plain) && plain.split('\n').every((line) => line.length <= 998);
  const [encoding, body] = sevenBit
    ? ['7bit', plain.replaceAll('\n', '\r\n')]
    : ['base64', Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')];
  return {
    raw: `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`,
  };
}

const asciiFor: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '…': '...',
  '–': '-',
  '—': '-',
};
