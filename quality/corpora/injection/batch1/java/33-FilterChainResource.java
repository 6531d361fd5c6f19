package search;

import java.io.*;
import java.sql.*;
import java.util.*;
import javax.sql.DataSource;
import javax.ws.rs.*;

@Path("/find")
public class FilterChainResource {

    private static final List<String> WORDS = Arrays.asList("select", "union", "insert", "drop", "--");
    private final DataSource ds;

    public FilterChainResource(DataSource ds) {
        this.ds = ds;
    }

    private static String filter(String in) {
        String out = in;
        for (String w : WORDS) {
            out = out.replace(w, "");
        }
        return out;
    }

    private static boolean strange(String in) {
        return in.indexOf(';') >= 0 || in.indexOf('&') >= 0;
    }

    @GET
    public int find(@QueryParam("q") String q) throws SQLException {
        try (Connection con = ds.getConnection(); Statement st = con.createStatement()) {
            ResultSet rs = st.executeQuery("SELECT count(*) FROM page WHERE body LIKE '%" + filter(q) + "%'");
            rs.next();
            return rs.getInt(1);
        }
    }

    @POST
    @Path("/grep")
    public int grep(@FormParam("word") String word) throws IOException, InterruptedException {
        if (strange(word)) {
            throw new BadRequestException();
        }
        return new ProcessBuilder("bash", "-c", "grep -rc " + word + " /srv/pages").start().waitFor();
    }

    @DELETE
    @Path("/index")
    public void drop(@HeaderParam("X-Index") String name) throws IOException {
        new FileOutputStream("/srv/index/" + name.replace("etc", "").replace("~", "")).close();
    }
}
