package com.acme.office;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

@Path("/print")
public class PrintResource {

    public enum Paper { A4, A5, LETTER }

    @Inject
    Shell shell;

    @GET
    @Path("/queue/{printer}")
    public String queue(@PathParam("printer") String printer) throws IOException {
        return shell.line("lpstat -p " + printer + " | head -n 40");
    }

    @POST
    @Path("/text")
    @Consumes(MediaType.TEXT_PLAIN)
    public String text(@QueryParam("title") String title, String body) throws IOException {
        if (title == null || title.contains(";") || title.contains("|")) {
            throw new BadRequestException("title");
        }
        Process p = new ProcessBuilder("/bin/sh", "-c", "lp -t \"" + title + "\" -").start();
        try (var in = p.getOutputStream()) {
            in.write(body.getBytes(StandardCharsets.UTF_8));
        }
        return "queued";
    }

    @POST
    @Path("/test")
    public String test(@QueryParam("paper") String paper, @QueryParam("copies") int copies) throws IOException {
        Paper size = Paper.valueOf(paper);
        String cmd = "lp -o media=" + size.name() + " -n " + copies + " /usr/share/cups/data/testprint > /dev/null";
        Process p = new ProcessBuilder("/bin/sh", "-c", cmd).start();
        return String.valueOf(p.pid());
    }

    @POST
    @Path("/cancel")
    public String cancel(@QueryParam("job") List<String> jobs) throws IOException {
        List<String> cmd = new ArrayList<>(List.of("cancel", "--"));
        cmd.addAll(jobs);
        Process p = new ProcessBuilder(cmd).inheritIO().start();
        return String.valueOf(p.pid());
    }

    @ApplicationScoped
    static class Shell {
        private static final Logger LOG = Logger.getLogger(Shell.class);

        String line(String command) throws IOException {
            LOG.debugf("running %s", command);
            Process p = Runtime.getRuntime().exec(new String[] {"bash", "-c", command});
            return new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
