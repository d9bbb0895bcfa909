/** `api_version` of every listing and of the capabilities (gateway/PROTOCOL.md#capabilities). */
export const protocolVersion = '1.0.0';

/** The oldest version of the protocol for which clients still work (gateway/PROTOCOL.md#capabilities). */
export const minClientVersion = '1.0.0';

/** The value of `implementation_status` in the capabilities (gateway/PROTOCOL.md#capabilities). */
export const implementationStatus = 'wave7_v1';
