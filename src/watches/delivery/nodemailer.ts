/** The library for mail. The build makes one file of it, which processes load with the first mail. */
export { createTransport } from 'nodemailer';
