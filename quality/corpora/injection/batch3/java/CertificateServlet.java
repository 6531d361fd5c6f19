package pki.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

class Subject {
    private final String commonName;
    private int days = 365;
    String serial = "0001";

    Subject(String commonName) {
        this.commonName = commonName;
    }

    String asArgument() {
        return "/O=Example/CN=" + commonName;
    }

    int getDays() {
        return days;
    }

    void setDays(String text) {
        this.days = Integer.parseInt(text);
    }
}

class Issuer {
    Process issue(Subject s) throws IOException {
        String line = "openssl req -x509 -nodes -subj \"" + s.asArgument() + "\" -days " + s.getDays();
        return new ProcessBuilder("sh", "-c", line).start();
    }

    int revoke(Subject s) throws IOException, InterruptedException {
        String[] cmd = {"sh", "-c", "openssl ca -revoke certs" + s.asArgument() + ".pem"};
        return Runtime.getRuntime().exec(cmd).waitFor();
    }

    Process renew(Subject s) throws IOException {
        String line = "issue-renew --days " + s.getDays() + " --serial " + s.serial;
        return new ProcessBuilder("sh", "-c", line).start();
    }
}

public class CertificateServlet extends HttpServlet {
    private final Issuer issuer = new Issuer();

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        Subject subject = new Subject(req.getParameter("cn"));
        subject.setDays(req.getParameter("days"));
        issuer.issue(subject);
        issuer.renew(subject);
        if (req.getParameter("revoke") != null) {
            try {
                issuer.revoke(subject);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        resp.setStatus(HttpServletResponse.SC_ACCEPTED);
    }
}
