package mailhook;

import java.util.Properties;
import javax.mail.*;

public class MailPoller {

    static String wrap(String s) {
        return "'" + s + "'";
    }

    static String shellArg(String s) {
        return "'" + s.replace("'", "'\\''") + "'";
    }

    static void speak(String subject) throws Exception {
        String line = "espeak " + wrap(subject);
        Runtime.getRuntime().exec(new String[] {"sh", "-c", line}).waitFor();
    }

    static void record(String from) throws Exception {
        String line = "logger -t mail -- " + shellArg(from);
        Runtime.getRuntime().exec(new String[] {"sh", "-c", line}).waitFor();
    }

    public static void main(String[] args) throws Exception {
        Session session = Session.getInstance(new Properties());
        try (Store store = session.getStore("imaps")) {
            store.connect("imap.example.com", System.getenv("IMAP_USER"), System.getenv("IMAP_PASSWORD"));
            Folder inbox = store.getFolder("INBOX");
            inbox.open(Folder.READ_ONLY);
            for (Message m : inbox.getMessages()) {
                speak(m.getSubject());
                record(m.getFrom()[0].toString());
            }
        }
    }
}
