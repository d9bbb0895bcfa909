export { type Certificate, createTestAuthority, type TestAuthority } from './certificates.js';
export { openTestDatabase } from './database.js';
