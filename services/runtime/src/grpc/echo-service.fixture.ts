/** Request and response of the echo service. */
export interface Note {
  text: string;
}

const json = {
  requestSerialize: (value: Note): Buffer => Buffer.from(JSON.stringify(value)),
  requestDeserialize: (bytes: Buffer): Note => JSON.parse(bytesOf(bytes).toString()) as Note,
  responseSerialize: (value: Note): Buffer => Buffer.from(JSON.stringify(value)),
  responseDeserialize: (bytes: Buffer): Note => JSON.parse(bytes.toString()) as Note,
};

// Accepts bytes, or the reader that the server passes. Generated code accepts both too.
function bytesOf(input: Buffer | { buf: Uint8Array }): Buffer {
  return Buffer.from('buf' in input ? input.buf : input);
}

/** A test service with one method of each kind, in the form that ts-proto generates. */
export const EchoService = {
  echo: { path: '/test.v1.EchoService/Echo', requestStream: false, responseStream: false, ...json },
  repeat: { path: '/test.v1.EchoService/Repeat', requestStream: false, responseStream: true, ...json },
  gather: { path: '/test.v1.EchoService/Gather', requestStream: true, responseStream: false, ...json },
  chat: { path: '/test.v1.EchoService/Chat', requestStream: true, responseStream: true, ...json },
} as const;
