/** Watches of one owner. */
export const MAX_WATCHES = 1000;
export const MAX_CHANNELS = 20;
/** Characters. */
export const MAX_KEY = 500;
export const MAX_NAME = 200;
export const MAX_MUTE_REASON = 500;
export const MAX_URL = 2048;
/** RFC 5321, 4.5.3.1.3: 256 with the angle brackets. */
export const MAX_MAIL_ADDRESS = 254;
/** Bytes of a subject as it is kept. */
export const MAX_SUBJECT_BYTES = 1024 * 1024;
/** The old secret of a webhook signs, too, for this long after a rotation. */
export const ROTATION_MS = 86_400_000;
