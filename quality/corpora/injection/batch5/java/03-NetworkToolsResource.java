package net.opsboard.api;

import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

@Path("/tools")
@Produces(MediaType.TEXT_PLAIN)
public class NetworkToolsResource {

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,252}");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9-]+(\\.[a-z0-9-]+)*");
    private static final Map<String, String> RECORD_TYPES = Map.of("a", "A", "mail", "MX", "text", "TXT");

    @GET
    @Path("/ping")
    public String ping(@QueryParam("host") String host,
                       @QueryParam("count") @DefaultValue("4") int count) throws IOException {
        if (host == null || !HOST.matcher(host).matches()) {
            throw new BadRequestException("host");
        }
        String line = "ping -c " + count + " " + host + " 2>&1 | tail -n 3";
        return read(new ProcessBuilder("sh", "-c", line).start());
    }

    @GET
    @Path("/trace")
    public String trace(@QueryParam("host") String host) throws IOException {
        if (host == null || !LABEL.matcher(host).find()) {
            throw new BadRequestException("host");
        }
        String line = "traceroute -m 12 " + host + " 2>&1";
        return read(new ProcessBuilder("sh", "-c", line).start());
    }

    @GET
    @Path("/uptime")
    public String uptime(@QueryParam("node") String node) throws IOException {
        List<String> command = new ArrayList<>();
        command.add("ssh");
        command.add(node);
        command.add("uptime");
        return read(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    @GET
    @Path("/dns/{type}")
    public String dns(@PathParam("type") String type, @QueryParam("zone") String zone) throws IOException {
        String record = RECORD_TYPES.get(type);
        if (record == null || !HOST.matcher(zone).matches()) {
            throw new BadRequestException();
        }
        String[] argv = {"dig", "+short", "-t", record, zone};
        return read(Runtime.getRuntime().exec(argv));
    }

    @POST
    @Path("/capture")
    public String capture(String filter) throws IOException {
        String quoted = "\"" + filter.replace("\"", "") + "\"";
        return read(Runtime.getRuntime().exec(
                new String[] {"/bin/sh", "-c", "timeout 5 tcpdump -c 20 -i eth0 " + quoted}));
    }

    private static String read(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
