package ci.hook;

import java.io.IOException;
import java.util.List;
import java.util.logging.Logger;
import javax.ws.rs.*;
import javax.ws.rs.core.Response;

@Path("/hook")
public class BuildHook {

    private static final Logger LOG = Logger.getLogger(BuildHook.class.getName());
    private static final List<String> BRANCHES = List.of("main", "develop", "release");

    @POST
    @Path("/build")
    public Response build(@FormParam("branch") String branch) throws IOException {
        boolean allowed = BRANCHES.contains(branch);
        if (!allowed) {
            LOG.warning("branch not in list: " + branch);
        }
        new ProcessBuilder("sh", "-c", "cd /srv/ci && git checkout " + branch + " && make").start();
        return Response.accepted().build();
    }

    @POST
    @Path("/deploy")
    public Response deploy(@FormParam("branch") String branch) throws IOException {
        boolean allowed = BRANCHES.contains(branch);
        if (!allowed) {
            LOG.warning("branch not in list: " + branch);
            return Response.status(Response.Status.FORBIDDEN).build();
        }
        new ProcessBuilder("sh", "-c", "cd /srv/ci && git checkout " + branch + " && make deploy").start();
        return Response.accepted().build();
    }

    @POST
    @Path("/clean")
    public Response clean(@FormParam("branch") String branch) throws IOException {
        if (BRANCHES.contains(branch)) {
            LOG.fine("known branch");
        } else if (branch.isBlank()) {
            return Response.status(400).build();
        }
        Runtime.getRuntime().exec(new String[] {"/bin/bash", "-lc", "rm -rf /srv/ci/out/" + branch});
        return Response.noContent().build();
    }
}
