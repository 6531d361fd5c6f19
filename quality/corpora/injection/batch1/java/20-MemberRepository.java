package club.members;

import java.sql.*;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import javax.ws.rs.*;
import javax.ws.rs.core.MediaType;

@Path("/members")
@Produces(MediaType.APPLICATION_JSON)
public class MemberRepository {

    private final DataSource ds;

    public MemberRepository(DataSource ds) {
        this.ds = ds;
    }

    @GET
    public List<String> search(@QueryParam("name") String name, @QueryParam("city") String city) throws SQLException {
        StringBuilder sql = new StringBuilder("SELECT name FROM member WHERE active = 1");
        List<Object> args = new ArrayList<>();
        if (name != null) {
            sql.append(" AND name LIKE ?");
            args.add("%" + name + "%");
        }
        if (city != null) {
            sql.append(" AND city = ?");
            args.add(city);
        }
        List<String> out = new ArrayList<>();
        try (Connection c = ds.getConnection();
             PreparedStatement ps = c.prepareStatement(sql.toString())) {
            for (int i = 0; i < args.size(); i++) {
                ps.setObject(i + 1, args.get(i));
            }
            try (ResultSet rs = ps.executeQuery()) {
                while (rs.next()) {
                    out.add(rs.getString(1));
                }
            }
        }
        return out;
    }
}
