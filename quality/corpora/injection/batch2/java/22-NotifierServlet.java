package notify;

import java.io.IOException;
import javax.servlet.http.*;

interface Channel {
    void deliver(String to, String text) throws IOException;
}

abstract class ShellChannel implements Channel {
    protected abstract String line(String to, String text);

    @Override
    public void deliver(String to, String text) throws IOException {
        new ProcessBuilder("/bin/sh", "-c", line(to, text)).start();
    }
}

class MailChannel extends ShellChannel {
    @Override
    protected String line(String to, String text) {
        return "echo \"" + text + "\" | mail -s notice " + to;
    }
}

class WallChannel implements Channel {
    @Override
    public void deliver(String to, String text) throws IOException {
        Process p = new ProcessBuilder("wall").start();
        p.getOutputStream().write(text.getBytes());
        p.getOutputStream().close();
    }
}

class BeepChannel extends WallChannel {
    @Override
    public void deliver(String to, String text) throws IOException {
        super.deliver(to, text);
        java.awt.Toolkit.getDefaultToolkit().beep();
    }
}

public class NotifierServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        Channel channel = "mail".equals(req.getParameter("via")) ? new MailChannel() : new BeepChannel();
        channel.deliver(req.getParameter("to"), req.getParameter("text"));
        resp.setStatus(HttpServletResponse.SC_ACCEPTED);
    }
}
