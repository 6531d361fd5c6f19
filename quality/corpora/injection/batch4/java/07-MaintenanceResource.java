package com.fleetops.maintenance;

import io.quarkus.logging.Log;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

@ApplicationScoped
@Path("/maintenance")
@Consumes(MediaType.APPLICATION_JSON)
public class MaintenanceResource {

    private static final boolean CUSTOM_TOOLS = false;

    public record CleanupRequest(List<String> directories, String label) {}

    @POST
    @Path("cleanup")
    public int cleanup(CleanupRequest body) throws IOException, InterruptedException {
        String targets = body.directories().stream()
                .filter(d -> !d.isBlank())
                .map(d -> "'/data/" + d + "'")
                .collect(Collectors.joining(" "));
        String[] command = {"bash", "-c", "find " + targets + " -name '*.tmp' -delete"};
        Process process = Runtime.getRuntime().exec(command);
        return process.waitFor();
    }

    @POST
    @Path("count")
    public String count(List<String> words) throws IOException {
        String quoted = words.stream()
                .map(MaintenanceResource::shellQuote)
                .collect(Collectors.joining(" "));
        String script = "for w in " + quoted + "; do grep -c -F -e \"$w\" /data/app.log; done";
        Process process = Runtime.getRuntime().exec(new String[] {"bash", "-c", script});
        return new String(process.getInputStream().readAllBytes());
    }

    @POST
    @Path("snapshot")
    public void snapshot(CleanupRequest body) throws IOException {
        String label = body.label().replace("'", "'\\''");
        StringBuilder script = new StringBuilder("zfs snapshot ");
        script.append("\"tank/data@").append(label).append("\"");
        Log.infof("snapshot requested: %s", label);
        new ProcessBuilder("bash", "-c", script.toString()).inheritIO().start();
    }

    @POST
    @Path("usage")
    public String usage(@QueryParam("tool") String tool) throws IOException {
        String command = "du -sh /data/*";
        if (CUSTOM_TOOLS) {
            command = tool + " /data/*";
        }
        Process process = new ProcessBuilder("bash", "-c", command).start();
        return new String(process.getInputStream().readAllBytes());
    }

    private static String shellQuote(String value) {
        return "'" + value.replace("'", "'\\''") + "'";
    }
}
