using System.Runtime.CompilerServices;
using Grpc.Core;
using Npgsql;

namespace Fleet.Tracking;

public class TripService : Trips.TripsBase
{
    private readonly NpgsqlDataSource _source;

    public TripService(NpgsqlDataSource source) => _source = source;

    public override async Task<TripList> GetTrips(TripQuery request, ServerCallContext context)
    {
        await using var command = _source.CreateCommand();
        var conditions = request.Filters.Select((f, i) =>
        {
            command.Parameters.AddWithValue("p" + i, f.Value);
            return $"{f.Column} = @p{i}";
        });
        command.CommandText = "SELECT id FROM trips WHERE " + string.Join(" AND ", conditions);
        return await ReadIds(await command.ExecuteReaderAsync(context.CancellationToken));
    }

    public override async Task<TripList> GetByIds(TripIds request, ServerCallContext context)
    {
        var names = request.Ids.Select((_, i) => "@id" + i).ToArray();
        await using var command = _source.CreateCommand(
            $"SELECT id FROM trips WHERE reference IN ({string.Join(", ", names)})");
        for (var i = 0; i < names.Length; i++)
            command.Parameters.AddWithValue("id" + i, request.Ids[i]);
        return await ReadIds(await command.ExecuteReaderAsync());
    }

    public override async Task StreamPositions(
        PositionQuery request, IServerStreamWriter<Position> stream, ServerCallContext context)
    {
        var fleet = context.RequestHeaders.GetValue("x-fleet") ?? "default";
        await foreach (var position in Positions(fleet, request.Limit, context.CancellationToken))
            await stream.WriteAsync(position);
    }

    public override async Task<TripList> Longest(LongestQuery request, ServerCallContext context)
    {
        var unit = request.Unit;
        if (unit != "km" && unit != "mi")
            throw new RpcException(new Status(StatusCode.InvalidArgument, "unit"));
        var sql = "SELECT id FROM trips ORDER BY length_" + unit + " DESC LIMIT " + request.Limit;
        await using var command = _source.CreateCommand(sql);
        return await ReadIds(await command.ExecuteReaderAsync());
    }

    private async IAsyncEnumerable<Position> Positions(
        string fleet, int limit, [EnumeratorCancellation] CancellationToken token)
    {
        await using var connection = await _source.OpenConnectionAsync(token);
        await using var command = new NpgsqlCommand(
            string.Format("SELECT lat, lon FROM positions WHERE fleet = '{0}' LIMIT {1}", fleet, limit), connection);
        await using var reader = await command.ExecuteReaderAsync(token);
        while (await reader.ReadAsync(token))
            yield return new Position { Lat = reader.GetDouble(0), Lon = reader.GetDouble(1) };
    }

    private static async Task<TripList> ReadIds(NpgsqlDataReader reader)
    {
        var list = new TripList();
        while (await reader.ReadAsync())
            list.Ids.Add(reader.GetInt64(0));
        return list;
    }
}
