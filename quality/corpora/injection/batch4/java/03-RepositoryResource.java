package io.codeharbor.browse;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

@Path("/repo")
@Produces(MediaType.TEXT_PLAIN)
public class RepositoryResource {

    private static final File CHECKOUT = new File("/srv/git/main");
    private static final Pattern SHA = Pattern.compile("[0-9a-f]{7,40}");

    @GET
    @Path("grep")
    public String grep(@QueryParam("q") String q) throws IOException {
        if (q == null || q.isBlank()) {
            throw new WebApplicationException(400);
        }
        return output(new ProcessBuilder("git", "grep", "-n", q, "HEAD").directory(CHECKOUT).start());
    }

    @GET
    @Path("grep-literal")
    public String grepLiteral(@QueryParam("q") String q) throws IOException {
        List<String> args = List.of("git", "grep", "-n", "-F", "-e", q, "HEAD");
        return output(new ProcessBuilder(args).directory(CHECKOUT).start());
    }

    @GET
    @Path("history/{branch}")
    public String history(@PathParam("branch") String branch) throws IOException {
        if (branch.length() > 60) {
            throw new WebApplicationException(414);
        }
        String line = String.format("git log --oneline origin/%s | head -n 100", branch);
        return output(new ProcessBuilder("sh", "-c", line).directory(CHECKOUT).start());
    }

    @GET
    @Path("commit/{sha}")
    public String commit(@PathParam("sha") String sha) throws IOException {
        if (!SHA.matcher(sha).matches()) {
            throw new WebApplicationException(404);
        }
        String line = "git show --stat " + sha + " | head -n 200";
        return output(new ProcessBuilder("sh", "-c", line).directory(CHECKOUT).start());
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
