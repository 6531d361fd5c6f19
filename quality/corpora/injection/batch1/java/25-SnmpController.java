package nms;

import java.io.IOException;
import java.util.regex.Pattern;
import javax.ws.rs.*;

@Path("/snmp")
public class SnmpController {

    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3}\\.){3}\\d{1,3}");
    private static final Pattern OID = Pattern.compile("\\.?\\d+(\\.\\d+)*");

    private String sh(String line) throws IOException {
        Process p = new ProcessBuilder("sh", "-c", line).start();
        return new String(p.getInputStream().readAllBytes());
    }

    @GET
    @Path("/walk")
    public String walk(@QueryParam("host") String host) throws IOException {
        if (!IPV4.matcher(host).find()) {
            throw new BadRequestException("host");
        }
        return sh("snmpwalk -v2c -c public " + host);
    }

    @GET
    @Path("/get")
    public String get(@QueryParam("host") String host, @QueryParam("oid") String oid) throws IOException {
        if (!host.matches("[0-9.]{7,15}") || !OID.matcher(oid).matches()) {
            throw new BadRequestException();
        }
        String line = "snmpget -v2c -c public " + host + " " + oid;
        return new String(Runtime.getRuntime().exec(new String[] {"sh", "-c", line}).getInputStream().readAllBytes());
    }
}
